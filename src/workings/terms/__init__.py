"""The words everyone uses: addresses, kinds of number, digits and every error."""
