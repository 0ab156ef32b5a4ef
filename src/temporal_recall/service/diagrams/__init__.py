"""Pictures of the flows for design reviews: the canonical text, an SVG and a Mermaid twin drawn from it.

The text is what is compared and reviewed; the pictures are never compared.
"""
