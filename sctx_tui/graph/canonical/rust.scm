; what the lexical step cannot tell: these nest or need counting
(raw_string_literal) @raw
(block_comment) @comment

(empty_statement) @empty
(or_pattern . "|" @nothing)
(match_arm) @arm
(match_arm value: (block) @wrapped)
(closure_expression !return_type body: (block) @wrapped)
(parenthesized_expression (parenthesized_expression) @nested) @around
(return_expression) @return
[(break_expression) (continue_expression)] @return
[(tuple_expression) (tuple_type) (tuple_pattern)] @tuple
(token_tree) @tokens
[(token_repetition) (token_repetition_pattern) (token_tree_pattern)] @repeated
(macro_invocation macro: (identifier) (token_tree) @arguments)
(macro_definition) @macro
(where_clause) @where
(extern_modifier) @extern
; `@around`: the limit on searches in progress counts those that hold a capture
(binary_expression operator: "&" right: (reference_expression) @fusing) @around
(binary_expression operator: "|" right: (closure_expression) @fusing) @around
(use_declaration) @use
(mod_item !body) @module
(extern_crate_declaration) @crate
(attribute_item) @attribute

; symbols
[
  (function_item) (function_signature_item) (struct_item) (enum_item) (union_item) (trait_item)
] @definition
