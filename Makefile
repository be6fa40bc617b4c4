# What one does here, a line each; the scripts are in docker/. `make help` lists the recipes.
.PHONY: help run demo backup restore test lint format bench fuzz containers-test

help: ## list the recipes
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

run: ## install what is missing, build, and run everything on http://localhost:8080
	@docker/local.sh

demo: ## drive a scenario through the running edge
	@docker/demo.sh

backup: ## save the databases of what runs in .backups, or in FOLDER
	@docker/backup.sh $(FOLDER)

restore: ## bring back what was saved in the folder FROM; the services must not run
	@docker/restore.sh "$(FROM)"

test: ## run every test against a throw-away PostgreSQL
	@docker/test.sh

lint: ## check format and scripts
	@docker/lint.sh

format: ## format the Swift sources in place
	swift format --in-place --recursive Package.swift Shared Services Tests

bench: ## measure against nginx, pgbench and socketify; writes .bench/latest.json
	@Tests/Benchmarks/bench.sh

fuzz: ## fuzz each parser for 60 s, or FUZZ_SECONDS
	@docker/fuzz.sh

containers-test: ## run, scale, replace and kill the containers under load; needs Docker
	@Tests/Containers/containers.sh
