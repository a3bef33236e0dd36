"""The web app: pages made of what Python draws, and the server that hands them out on this machine alone."""
