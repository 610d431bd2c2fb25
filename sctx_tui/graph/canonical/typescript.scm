[
  (public_field_definition) (property_signature) (method_signature) (abstract_method_signature) (call_signature)
  (construct_signature) (index_signature)
] @member
[(type_alias_declaration) (function_signature) (import_alias)] @end
(ambient_declaration (module !body)) @end
(object_type [";" ","] @nothing) @around
(interface_body [";" ","] @nothing) @around
(public_field_definition name: (string) @key)
(property_signature name: (string) @key)
(method_signature name: (string) @key)
(abstract_method_signature name: (string) @key)
(enum_assignment name: (string) @key)
(enum_body name: (string) @key)
(template_literal_type) @template
(union_type . "|" @nothing)
(intersection_type . "&" @nothing)
[
  (extends_clause value: (parenthesized_expression))
  (as_expression . (parenthesized_expression))
  (satisfies_expression . (parenthesized_expression))
  (decorator (parenthesized_expression))
] @operation

(parenthesized_type) @parenthesized_type
[
  (union_type (parenthesized_type))
  (intersection_type (parenthesized_type))
  (array_type (parenthesized_type))
  (lookup_type . (parenthesized_type))
  (index_type_query (parenthesized_type))
  (readonly_type (parenthesized_type))
  (conditional_type (parenthesized_type))
  (infer_type (parenthesized_type))
  (optional_type (parenthesized_type))
  (rest_type (parenthesized_type))
] @type_operation

[
  (function_signature) (method_signature) (abstract_method_signature) (abstract_class_declaration)
  (interface_declaration) (type_alias_declaration) (enum_declaration) (internal_module) (module)
] @definition
