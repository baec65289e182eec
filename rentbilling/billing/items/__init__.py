"""Items: made from a price, compiled for billing, their opening period and their notices."""
