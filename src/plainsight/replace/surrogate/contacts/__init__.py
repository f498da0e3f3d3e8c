"""Contacts: surrogates for phone and fax numbers, e-mail and web addresses, machines and logins."""
