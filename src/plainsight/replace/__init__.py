"""Operations: each turns spans into the text that replaces them. One file per operation."""
