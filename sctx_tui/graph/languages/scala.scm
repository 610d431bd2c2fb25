(class_definition name: (identifier) @name) @class
(object_definition name: (identifier) @name) @class
(enum_definition name: (identifier) @name) @class
(trait_definition name: (identifier) @name) @interface
(extends_clause (type_identifier) @base)
(extends_clause (generic_type (type_identifier) @base))
(function_definition name: (identifier) @name) @function
(function_declaration name: (identifier) @name) @function
(call_expression function: (identifier) @callee) @call
(call_expression function: (generic_function function: (identifier) @callee)) @call
(call_expression function: (field_expression value: (_) @receiver field: (identifier) @callee)) @call
(instance_expression (type_identifier) @callee) @new
(instance_expression (generic_type (type_identifier) @callee)) @new
(import_declaration) @import @spec
(class_parameter name: (identifier) @name type: (_) @type) @typed
(parameter name: (identifier) @name type: (_) @type) @typed
(val_definition pattern: (identifier) @name type: (_) @type) @typed
(var_definition pattern: (identifier) @name type: (_) @type) @typed
(val_definition pattern: (identifier) @name value: (instance_expression (_) @type)) @typed
