(class name: (_) @name) @class
(module name: (_) @name) @class
(superclass (constant) @base)
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(call !receiver method: (identifier) @callee) @call
(call !receiver method: (constant) @callee) @call
(call receiver: (_) @receiver method: (identifier) @callee) @call
(body_statement (identifier) @callee @call)
(call method: (identifier) @requirer arguments: (argument_list (string (string_content) @spec))
  (#match? @requirer "^require(_relative)?$")) @import
(assignment left: (identifier) @name right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @method)
  (#eq? @method "new")) @typed
