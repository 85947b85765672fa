#!/bin/sh
# Brings the sandbox up in containers and ends when every service is ready. Usage: deploy/up.sh [edge] [console] [cluster] [observability]
# What it decides stays in .env, for docker compose: passwords once made, and the profiles of the last call.
set -eu
cd "$(dirname "$0")/.."
umask 077
touch .env
deploy/make-env.sh | while read -r line; do
  grep -q "^${line%%=*}=" .env || printf '%s\n' "$line" >> .env
done
files=docker-compose.yml profiles=
for profile in "$@"; do
  grep -q "profiles: .*\b$profile\b" docker-compose.yml || { echo "docker-compose.yml has no profile $profile" >&2; exit 2; }
  profiles=$profiles${profiles:+,}$profile
  [ ! -e "deploy/compose/$profile.yml" ] || files=$files:deploy/compose/$profile.yml
done
sed '/^COMPOSE_\(PROFILES\|FILE\)=/d' .env > .env.new
printf 'COMPOSE_PROFILES=%s\nCOMPOSE_FILE=%s\n' "$profiles" "$files" >> .env.new
mv .env.new .env

if docker compose version > /dev/null 2>&1; then
  docker compose build
  docker compose up --detach --wait
  compose='docker compose'
else
  # Compose v1 cannot wait by itself.
  docker-compose build
  docker-compose up --detach
  compose=docker-compose
  for container in $($compose ps -q); do
    while [ "$(docker inspect -f '{{if .State.Health}}{{.State.Health.Status}}{{end}}' "$container")" = starting ]; do sleep 1; done
  done
  if docker ps --filter health=unhealthy --format '{{.Names}}' | grep .; then exit 1; fi
fi
# The proxy looks its gateways up when it reads its configuration: they may be others now.
case ,$profiles, in
  *,console,*) echo "Console: http://127.0.0.1:${XS2A_CONSOLE_PORT:-$(sed -n 's/^XS2A_CONSOLE_PORT=//p' .env | grep . || echo 8070)}" ;;
esac
case ,$profiles, in
  *,edge,*) $compose kill -s HUP edge && echo "Next: $compose run --rm demo" ;;
esac
