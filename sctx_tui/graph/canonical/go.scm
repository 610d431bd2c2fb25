(import_declaration) @import
(parenthesized_expression) @parentheses
(for_clause) @clause
(function_declaration result: (parameter_list) @result)
(method_declaration result: (parameter_list) @result)
(func_literal result: (parameter_list) @result)
(function_type result: (parameter_list) @result)
(method_elem result: (parameter_list) @result)
(parameter_declaration type: (parenthesized_type) @typed)
[(binary_expression (parenthesized_expression)) (unary_expression (parenthesized_expression))] @operation

; symbols
[
  (function_declaration) (method_declaration) (method_elem) (type_spec) (type_alias)
  (struct_type) (interface_type)
] @definition
(type_spec type: [(struct_type) (interface_type)] @named)
