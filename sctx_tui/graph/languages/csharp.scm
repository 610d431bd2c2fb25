(class_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(enum_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @interface
(base_list (identifier) @base)
(base_list (generic_name (identifier) @base))
(method_declaration name: (identifier) @name) @function
(constructor_declaration name: (identifier) @name) @function
(local_function_statement name: (identifier) @name) @function
(property_declaration name: (identifier) @name) @function
(invocation_expression function: (identifier) @callee) @call
(invocation_expression function: (generic_name (identifier) @callee)) @call
(invocation_expression
  function: (member_access_expression expression: ["this" "base"] @receiver name: (identifier) @callee)) @call
(invocation_expression
  function: (member_access_expression expression: (_) @receiver name: (identifier) @callee)) @call
(invocation_expression
  function: (member_access_expression expression: (_) @receiver name: (generic_name (identifier) @callee))) @call
(object_creation_expression type: (identifier) @callee) @new
(object_creation_expression type: (generic_name (identifier) @callee)) @new
(using_directive (_) @spec) @import
(variable_declaration type: (_) @type (variable_declarator name: (identifier) @name)) @typed
(variable_declaration
  (variable_declarator name: (identifier) @name (object_creation_expression type: (_) @type))) @typed
(parameter type: (_) @type name: (identifier) @name) @typed
(foreach_statement type: (_) @type left: (identifier) @name) @typed
(property_declaration type: (_) @type name: (identifier) @name) @typed
