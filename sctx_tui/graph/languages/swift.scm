(class_declaration ["class" "struct" "enum" "actor"] name: (_) @name) @class
(class_declaration "extension" name: (_) @name) @extension
(protocol_declaration name: (type_identifier) @name) @interface
(inheritance_specifier inherits_from: (user_type (type_identifier) @base))
(function_declaration name: (simple_identifier) @name) @function
(protocol_function_declaration name: (simple_identifier) @name) @function
(init_declaration "init" @name) @function
(call_expression (simple_identifier) @callee) @call
(call_expression
  (navigation_expression target: (_) @receiver suffix: (navigation_suffix suffix: (simple_identifier) @callee))) @call
(import_declaration (identifier) @spec) @import
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name) (type_annotation) @type) @typed
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name) value: (call_expression . (simple_identifier) @type)
  (#match? @type "^[A-Z]")) @typed
(parameter (simple_identifier) @name . (_) @type) @typed
