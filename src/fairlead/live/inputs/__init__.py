"""What instruments send: sentences, rows and messages, as stamped values; none of it can raise an error."""
