(jsx_text) @text
(jsx_element (html_character_reference) @text)
(jsx_expression (string)) @spacer
(jsx_attribute (string) @attribute)
