(class_specifier name: (type_identifier) @name body: (_)) @class
(struct_specifier name: (type_identifier) @name body: (_)) @class
(union_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @class
(class_specifier name: (template_type name: (type_identifier) @name) body: (_)) @class
(struct_specifier name: (template_type name: (type_identifier) @name) body: (_)) @class
(class_specifier name: (qualified_identifier name: (type_identifier) @name) body: (_)) @class
(struct_specifier name: (qualified_identifier name: (type_identifier) @name) body: (_)) @class
(base_class_clause (type_identifier) @base)
(base_class_clause (template_type name: (type_identifier) @base))
(base_class_clause (qualified_identifier name: (template_type name: (type_identifier) @base)))
(base_class_clause (qualified_identifier name: (type_identifier) @base))
(function_declarator declarator: (identifier) @name) @declarator
(function_declarator declarator: (field_identifier) @name) @declarator
(function_declarator declarator: (destructor_name) @name) @declarator
(function_declarator declarator: (operator_name) @name) @declarator
(function_declarator declarator: (qualified_identifier scope: (_) @owner name: (identifier) @name)) @declarator
(function_declarator declarator: (qualified_identifier scope: (_) @owner name: (destructor_name) @name)) @declarator
(function_declarator declarator: (qualified_identifier scope: (_) @owner name: (operator_name) @name)) @declarator
(function_definition) @function
(call_expression function: (identifier) @callee) @call
(call_expression function: (template_function name: (identifier) @callee)) @call
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @callee)) @call
(call_expression function: (qualified_identifier scope: (_) @receiver name: (identifier) @callee)) @call
(call_expression
  function: (qualified_identifier scope: (_) @receiver name: (template_function name: (identifier) @callee))) @call
(call_expression
  function: (qualified_identifier
    name: (qualified_identifier scope: (_) @receiver name: (identifier) @callee))) @call
(call_expression
  function: (qualified_identifier
    name: (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: (identifier) @callee)))) @call
(call_expression
  function: (field_expression argument: (_) @receiver field: (template_method name: (field_identifier) @callee))) @call
(new_expression type: (type_identifier) @callee) @new
(new_expression type: (template_type name: (type_identifier) @callee)) @new
(new_expression type: (qualified_identifier name: (type_identifier) @callee)) @new
(preproc_include path: (_) @spec) @import
(declaration type: (_) @type declarator: [(identifier) (pointer_declarator) (reference_declarator)] @name) @typed
(declaration type: (_) @type declarator: (init_declarator declarator: (_) @name)) @typed
(declaration declarator: (init_declarator declarator: (_) @name value: (new_expression type: (_) @type))) @typed
(parameter_declaration
  type: (_) @type declarator: [(identifier) (pointer_declarator) (reference_declarator)] @name) @typed
(field_declaration
  type: (_) @type declarator: [(field_identifier) (pointer_declarator) (reference_declarator)] @name) @typed
