; Both JavaScript and TypeScript.

[(hash_bang_line) (html_comment)] @comment
(template_string) @template
(regex) @regex

; statements whose semicolon may be left out
[
  (expression_statement) (variable_declaration) (lexical_declaration) (return_statement) (throw_statement)
  (break_statement) (continue_statement) (debugger_statement) (do_statement) (import_statement)
  (export_statement !declaration)
] @end
(empty_statement) @empty
(class_body ";" @nothing) @around ; the limit on searches in progress counts those that hold a capture

; names that may be quoted
(pair key: (string) @key)
(pair_pattern key: (string) @key)
(method_definition name: (string) @key)

(arrow_function parameter: (identifier) @parameter)
(new_expression !arguments) @new
(new_expression constructor: [(member_expression) (subscript_expression)] @constructor)

; parentheses, and those that belong to a statement
(parenthesized_expression) @parentheses
(if_statement condition: (parenthesized_expression) @fixed)
(while_statement condition: (parenthesized_expression) @fixed)
(do_statement condition: (parenthesized_expression) @fixed)
(switch_statement value: (parenthesized_expression) @fixed)
(with_statement object: (parenthesized_expression) @fixed)
(arrow_function body: (parenthesized_expression) @body)
(export_statement value: (_) @exported)

[
  (binary_expression (parenthesized_expression))
  (unary_expression (parenthesized_expression))
  (await_expression (parenthesized_expression))
  (ternary_expression (parenthesized_expression))
  (new_expression constructor: (parenthesized_expression))
] @operation

; symbols
[
  (function_declaration) (generator_function_declaration) (function_expression) (generator_function)
  (arrow_function) (method_definition) (class_declaration) (class)
] @definition
(decorator) @decorator
