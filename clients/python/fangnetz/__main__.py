"""`python -m fangnetz` is the command `fangnetz-bot`."""

from fangnetz.cli import main

if __name__ == "__main__":
    main()
