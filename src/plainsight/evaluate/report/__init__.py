"""Figures as pictures and pages: SVG charts, and one HTML page that needs nothing but itself."""
