(jsx_text) @text
(html_character_reference) @reference
(jsx_attribute (string) @attribute)
