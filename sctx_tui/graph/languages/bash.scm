(function_definition name: (word) @name) @function
(command name: (command_name (word) @callee)) @call
(command name: (command_name (word) @requirer) argument: [(word) (string) (raw_string)] @spec
  (#any-of? @requirer "source" ".")) @import
