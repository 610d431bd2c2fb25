(function_declaration name: (identifier) @name) @function
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name)) @function
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name)) @function
(assignment_statement
  (variable_list name: (identifier) @name) (expression_list value: (function_definition))) @function
(assignment_statement
  (variable_list name: (dot_index_expression table: (_) @owner field: (identifier) @name))
  (expression_list value: (function_definition))) @function
(function_call name: (identifier) @callee) @call
(function_call name: (dot_index_expression table: (_) @receiver field: (identifier) @callee)) @call
(function_call name: (method_index_expression table: (_) @receiver method: (identifier) @callee)) @call
(function_call name: (identifier) @requirer arguments: (arguments (string content: (string_content) @spec))
  (#eq? @requirer "require")) @import
