(class_specifier name: (type_identifier) @name body: (_)) @class
(struct_specifier name: (type_identifier) @name body: (_)) @class
(union_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @class
(base_class_clause (type_identifier) @base)
(base_class_clause (qualified_identifier name: (type_identifier) @base))
(function_declarator declarator: (identifier) @name) @declarator
(function_declarator declarator: (field_identifier) @name) @declarator
(function_declarator declarator: (destructor_name) @name) @declarator
(function_declarator declarator: (operator_name) @name) @declarator
(function_declarator declarator: (qualified_identifier scope: (_) @owner name: (identifier) @name)) @declarator
(function_declarator declarator: (qualified_identifier scope: (_) @owner name: (destructor_name) @name)) @declarator
(function_declarator declarator: (qualified_identifier scope: (_) @owner name: (operator_name) @name)) @declarator
(function_definition) @function
(call_expression function: (identifier) @callee) @call
(call_expression function: (template_function name: (identifier) @callee)) @call
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @callee)) @call
(call_expression function: (qualified_identifier scope: (_) @receiver name: (identifier) @callee)) @call
(new_expression type: (type_identifier) @callee) @new
(preproc_include path: (_) @spec) @import
