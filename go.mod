module bohnenspiel

go 1.26
