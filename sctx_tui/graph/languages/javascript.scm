; What a walk in program order comes to know too late: the names that `var` declares, which belong to the
; whole function around them.

(variable_declaration
  (variable_declarator
    name: (_) @var))

(for_in_statement
  kind: "var"
  left: (_) @var)

[
  (function_declaration)
  (generator_function_declaration)
  (function_expression)
  (generator_function)
  (arrow_function)
  (method_definition)
  (class_static_block)
] @function
