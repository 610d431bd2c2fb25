(field_definition) @member
(field_definition property: (string) @key)
(class_heritage (parenthesized_expression)) @operation
