#!/bin/sh
# Makes every secret of a deployment in Kubernetes, as a folder that an overlay names among its resources: a file for each key, and a
# kustomization.yaml that makes secrets of them. Needs openssl and perl. Usage: deploy/make-secrets.sh k8s/overlays/sandbox/secrets
#
# Where the servers are, for a deployment other than the sandbox (docs/how-to/deploy.md):
#   NATS=tls://nats:4222                    scheme, and hosts separated by commas
#   DATABASE=postgres:5432/xs2a?sslmode=…   host, database and parameters; named, it makes what the components of k8s refer to
#   TRUST_ANCHORS=anchors.pem               the authorities whose QWACs are taken; else a test authority is made, for a sandbox alone
set -eu
folder=${1:?usage: deploy/make-secrets.sh FOLDER}
nats=${NATS:-nats://nats:4222}
database=${DATABASE:-postgres:5432/xs2a}
if [ -e "$folder" ]; then
  echo "$folder is there already; the databases know its passwords alone. Remove it to begin anew." >&2
  exit 1
fi
if [ -n "${DATABASE:-}" ] && [ ! -s "${TRUST_ANCHORS:-}" ]; then
  echo "TRUST_ANCHORS has to name a file of the authorities whose QWACs are taken: outside a sandbox none is made." >&2
  exit 1
fi
umask 077
mkdir -p "$folder"

# A letter first: nats-server would read a password of digits as a number.
random() { printf 's%s' "$(openssl rand -hex 24)"; }
# put SECRET KEY: standard input becomes the value.
put() { mkdir -p "$folder/$1" && cat > "$folder/$1/$2"; }
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
upper() { printf %s "$1" | tr 'a-z-' 'A-Z_'; }
# Standard input as a bcrypt hash. Of the least cost: at a restart of nats-server all clients come at once, and who does not know 192
# random bits does not find them by trying (docs/adr/0058). In quotes, since nats-server would take $2a for a variable.
bcrypt() {
  hash=$(perl -e '$_ = <STDIN>; print crypt($_, "\$2a\$04\$" . shift)' "$(openssl rand -hex 11)")
  case $hash in
    '$2a$04$'*) printf '"%s"' "$hash" ;;
    *) echo 'the crypt of this system has no bcrypt; run this on Debian' >&2 && return 1 ;;
  esac
}

passwords=$(mktemp -d)
trap 'rm -r "$passwords"' EXIT
roles='owner payments consents accounts auth settlement notifications console'
# PostgreSQL: a password for each role of deploy/postgres/roles.sql.
for role in $roles; do
  random > "$passwords/postgres-$role"
done
if [ -z "${DATABASE:-}" ]; then
  # The sandbox's server makes the roles itself, and its superuser.
  random | put postgres POSTGRES_PASSWORD
  for role in $roles; do
    put postgres "POSTGRES_PASSWORD_$(upper "$role")" < "$passwords/postgres-$role"
  done
  # For the workspace of the developer portal, which only a sandbox has.
  random | put xs2a-portal portal-secret
fi
# The same for a server whose superuser runs it: psql -d xs2a -f FOLDER/roles.sql
{
  cat "$(dirname "$0")/postgres/roles.sql"
  for role in $roles; do
    echo "ALTER ROLE xs2a_$role PASSWORD '$(cat "$passwords/postgres-$role")';"
  done
} > "$folder/roles.sql"
# NATS: a password for each user of deploy/nats/nats-server.conf, which is given their hashes alone.
for user in operator gateway auth consents accounts funds-confirmation payments settlement-worker notifications console portal bank migration; do
  random > "$passwords/$user"
  bcrypt < "$passwords/$user" > "$passwords/hash"
  put nats "NATS_PASSWORD_$(upper "$user")" < "$passwords/hash"
done

# What each program is told: the addresses of the two with its own password.
nats_url() {
  put "$1" nats-url <<URL
${nats%%://*}://$2:$(cat "$passwords/$2")@${nats#*://}
URL
}
database_url() {
  put "$1" database-url <<URL
postgres://xs2a_$2:$(cat "$passwords/postgres-$2")@$database
URL
}
for app in gateway auth consents accounts funds-confirmation payments settlement-worker notifications console portal; do
  nats_url "xs2a-$app" "$app"
done
for role in auth consents accounts payments notifications console; do
  database_url "xs2a-$role" "$role"
done
database_url xs2a-settlement-worker settlement
nats_url xs2a-migrations migration
database_url xs2a-migrations owner
nats_url xs2a-operator operator
database_url xs2a-operator owner
# For the adapter of the bank's own core system (docs/how-to/connect-your-core-bank.md).
nats_url xs2a-bank bank

# Under these the keys of personal data are stored: lose them, and the data are lost (docs/how-to/erasure.md).
for app in payments consents; do
  printf '%s-%s:%s' "$app" "$(date -u +%Y-%m-%d)" "$(openssl rand -base64 32)" | put "xs2a-$app" master-keys
done

# The HMAC keys for stored idempotency keys, bodies and unknown names (docs/how-to/rotate-keys.md).
for app in accounts auth; do
  printf '%s-%s:%s' "$app" "$(date -u +%Y-%m-%d)" "$(openssl rand -base64 32)" | put "xs2a-$app" hash-keys
done

random | put xs2a-auth cookie-secret
random | put xs2a-auth subject-secret
random | put xs2a-gateway proxy-secret
# By this the gateway proves itself to auth, so both have it.
random | put xs2a-gateway gateway-secret
put xs2a-auth gateway-secret < "$folder/xs2a-gateway/gateway-secret"
if [ -n "${DATABASE:-}" ]; then
  # The proxy-secret as Envoy Gateway reads it, and the password of each role as CloudNativePG does.
  put xs2a-edge credential < "$folder/xs2a-gateway/proxy-secret"
  for role in $roles; do
    printf 'xs2a_%s' "$role" | put "postgres-$role" username
    put "postgres-$role" password < "$passwords/postgres-$role"
  done
fi

# The keys that sign access tokens and notifications, and dispute bundles, each as a JWK: the numbers are at fixed places of
# its DER form (SEC 1, RFC 5915).
der=$folder/signing-key.der
for name in signing-keys bundle-keys; do
  openssl ecparam -name prime256v1 -genkey -noout -outform DER -out "$der"
  put xs2a-auth "$name.json" <<JWK
{"keys":[{"kty":"EC","crv":"P-256","kid":"$(openssl rand -hex 16)","d":"$(head -c 39 "$der" | tail -c 32 | base64url)","x":"$(tail -c 64 "$der" | head -c 32 | base64url)","y":"$(tail -c 32 "$der" | base64url)"}]}
JWK
  rm "$der"
done

if [ -z "${TRUST_ANCHORS:-}" ]; then
  # A sandbox's own: QWACs are issued with test-authority.key, which no program is given.
  TRUST_ANCHORS=$folder/test-authority.crt
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj '/CN=XS2A sandbox test authority' \
    -keyout "$folder/test-authority.key" -out "$TRUST_ANCHORS" 2>/dev/null
fi
put xs2a-gateway trust-anchors.pem < "$TRUST_ANCHORS"
put xs2a-auth trust-anchors.pem < "$TRUST_ANCHORS"

{
  echo '# Made by deploy/make-secrets.sh. The names of the secrets of services end in a hash, so that pods are exchanged when one changes. The'
  echo '# others keep their names: jobs cannot be changed, and what else refers to them is not made by these overlays.'
  echo 'apiVersion: kustomize.config.k8s.io/v1beta1'
  echo 'kind: Kustomization'
  echo 'secretGenerator:'
  for secret in "$folder"/*/; do
    secret=${secret%/}
    echo "  - name: ${secret##*/}"
    echo '    files:'
    for key in "$secret"/*; do echo "      - ${secret##*/}/${key##*/}"; done
    case ${secret##*/} in postgres-*) echo '    type: kubernetes.io/basic-auth' ;; esac
    case ${secret##*/} in
      nats | postgres | postgres-* | xs2a-edge | xs2a-bank | xs2a-migrations | xs2a-operator) echo '    options: { disableNameSuffixHash: true }' ;;
    esac
  done
} > "$folder/kustomization.yaml"
echo "$folder: $(find "$folder" -mindepth 2 -type f | wc -l | tr -d ' ') keys of $(find "$folder" -mindepth 1 -type d | wc -l | tr -d ' ') secrets" >&2
