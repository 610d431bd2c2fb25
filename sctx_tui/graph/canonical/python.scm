; What a formatter may spell differently, and what parentheses depend on.

(concatenated_string) @strings
(string (interpolation)) @template
(float) @float
(block) @block
(block . [(string) (concatenated_string) (parenthesized_expression (string))] @first)
(function_definition body: (block . [(string) (concatenated_string) (parenthesized_expression (string))] @docstring))
(class_definition body: (block . [(string) (concatenated_string) (parenthesized_expression (string))] @docstring))
(if_statement (else_clause) @else) @around

; brackets that may come and go
(with_clause . (with_item . (tuple) @items .) .)
(parenthesized_expression) @parentheses
[(import_from_statement "(") (with_clause "(")] @list
(class_definition superclasses: (argument_list) @bases)
(generator_expression) @generator
(list_splat) @splat

; tuples: written with and without parentheses
[(tuple) (tuple_pattern)] @tuple
[(expression_list) (pattern_list) (tuple_expression)] @bare_tuple
(subscript ",") @index
(generic_type (type_parameter ",") @index)
(assignment left: (tuple_pattern) @annotated type: (_))
(match_statement subject: (_) ",") @match
(case_clause ",") @case
(except_clause ",") @except
(case_pattern (tuple_pattern) @sequence)
(union_pattern (tuple_pattern) @alternative)

; operators with a parenthesised operand
[
  (binary_operator (parenthesized_expression))
  (boolean_operator (parenthesized_expression))
  (comparison_operator (parenthesized_expression))
  (not_operator (parenthesized_expression))
  (unary_operator (parenthesized_expression))
  (await (parenthesized_expression))
  (conditional_expression (parenthesized_expression))
  (lambda body: (parenthesized_expression))
  (for_in_clause right: (parenthesized_expression))
  (if_clause (parenthesized_expression))
  (interpolation (parenthesized_expression))
] @operation

; symbols
[(function_definition) (class_definition)] @definition
(decorator) @decorator
