(class_declaration name: (identifier) @name) @class
(enum_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(annotation_type_declaration name: (identifier) @name) @interface
(superclass (type_identifier) @base)
(super_interfaces (type_list (type_identifier) @base))
(super_interfaces (type_list (generic_type (type_identifier) @base)))
(extends_interfaces (type_list (type_identifier) @base))
(method_declaration name: (identifier) @name) @function
(constructor_declaration name: (identifier) @name) @function
(compact_constructor_declaration name: (identifier) @name) @function
(method_invocation !object name: (identifier) @callee) @call
(method_invocation object: (_) @receiver name: (identifier) @callee) @call
(object_creation_expression type: (type_identifier) @callee) @new
(object_creation_expression type: (generic_type (type_identifier) @callee)) @new
(import_declaration [(scoped_identifier) (identifier)] @spec) @import
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @typed
(local_variable_declaration
  declarator: (variable_declarator
    name: (identifier) @name value: (object_creation_expression type: (_) @type))) @typed
(formal_parameter type: (_) @type name: (identifier) @name) @typed
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @typed
(enhanced_for_statement type: (_) @type name: (identifier) @name) @typed
(resource type: (_) @type name: (identifier) @name) @typed
