(class_declaration name: (name) @name) @class
(trait_declaration name: (name) @name) @class
(enum_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(base_clause (name) @base)
(class_interface_clause (name) @base)
(declaration_list (use_declaration (name) @base))
(method_declaration name: (name) @name) @function
(function_definition name: (name) @name) @function
(function_call_expression function: (name) @callee) @call
(function_call_expression function: (qualified_name (name) @callee)) @call
(member_call_expression object: (_) @receiver name: (name) @callee) @call
(nullsafe_member_call_expression object: (_) @receiver name: (name) @callee) @call
(scoped_call_expression scope: (_) @receiver name: (name) @callee) @call
(object_creation_expression (name) @callee) @new
(object_creation_expression (qualified_name (name) @callee)) @new
(namespace_use_clause . (_) @spec alias: (name)? @alias) @import
(require_expression (string (string_content) @spec)) @import
(require_once_expression (string (string_content) @spec)) @import
(include_expression (string (string_content) @spec)) @import
(include_once_expression (string (string_content) @spec)) @import
(property_declaration type: (_) @type (property_element name: (variable_name) @name)) @typed
(simple_parameter type: (_) @type name: (variable_name) @name) @typed
(property_promotion_parameter type: (_) @type name: (variable_name) @name) @typed
(assignment_expression
  left: (variable_name) @name right: (object_creation_expression [(name) (qualified_name)] @type)) @typed
