(jsx_element) @element
(jsx_attribute (string) @attribute)
