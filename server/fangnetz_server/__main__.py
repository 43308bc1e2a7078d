"""`python -m fangnetz_server` is the command `fangnetz`."""

from fangnetz_server.cli import main

if __name__ == "__main__":
    main()
