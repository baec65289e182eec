"""What the interface says, and what proves it: registers, proofs, and the page that tells both."""
