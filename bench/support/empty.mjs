// An empty module, with which loading is compared.
