(class_declaration "interface" (type_identifier) @name) @interface
(class_declaration "class" (type_identifier) @name) @class
(object_declaration (type_identifier) @name) @class
(delegation_specifier (user_type (type_identifier) @base))
(delegation_specifier (constructor_invocation (user_type (type_identifier) @base)))
(function_declaration (simple_identifier) @name) @function
(call_expression (simple_identifier) @callee) @call
(call_expression (navigation_expression (_) @receiver (navigation_suffix (simple_identifier) @callee))) @call
(import_header (identifier) @spec) @import
(class_parameter (simple_identifier) @name [(user_type) (nullable_type)] @type) @typed
(parameter (simple_identifier) @name [(user_type) (nullable_type)] @type) @typed
(variable_declaration (simple_identifier) @name [(user_type) (nullable_type)] @type) @typed
(property_declaration (variable_declaration (simple_identifier) @name) (call_expression . (simple_identifier) @type)
  (#match? @type "^[A-Z]")) @typed
