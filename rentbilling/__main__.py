"""`python -m rentbilling`: the command line."""

from rentbilling.adapters.cli import main

if __name__ == "__main__":
    main()
