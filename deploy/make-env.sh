#!/bin/sh
# Prints a fresh .env for docker-compose.yml: a random password for each user, and the sandbox's own bank as core bank. Usage: deploy/make-env.sh > .env
set -eu
echo CORE_BANK=sandbox
for name in \
  POSTGRES_PASSWORD POSTGRES_PASSWORD_OWNER POSTGRES_PASSWORD_PAYMENTS POSTGRES_PASSWORD_CONSENTS POSTGRES_PASSWORD_ACCOUNTS POSTGRES_PASSWORD_AUTH POSTGRES_PASSWORD_SETTLEMENT POSTGRES_PASSWORD_NOTIFICATIONS POSTGRES_PASSWORD_CONSOLE POSTGRES_PASSWORD_REPLICATOR \
  NATS_PASSWORD_OPERATOR NATS_PASSWORD_GATEWAY NATS_PASSWORD_AUTH NATS_PASSWORD_CONSENTS NATS_PASSWORD_ACCOUNTS NATS_PASSWORD_FUNDS_CONFIRMATION NATS_PASSWORD_PAYMENTS NATS_PASSWORD_SETTLEMENT_WORKER NATS_PASSWORD_NOTIFICATIONS NATS_PASSWORD_CONSOLE NATS_PASSWORD_PORTAL NATS_PASSWORD_BANK NATS_PASSWORD_MIGRATION \
  AUTH_COOKIE_SECRET AUTH_SUBJECT_SECRET CONSOLE_COOKIE_SECRET STAFF_CLIENT_SECRET GATEWAY_SECRET PROXY_SECRET PORTAL_SECRET; do
  # A letter first: nats-server would read a password of digits as a number.
  printf '%s=s%s\n' "$name" "$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"
done
# Under these the keys of personal data are stored: lose them, and the data are lost (docs/how-to/erasure.md).
for app in payments consents; do
  printf '%s_MASTER_KEYS=%s-%s:%s\n' "$(echo $app | tr a-z A-Z)" "$app" "$(date -u +%Y-%m-%d)" "$(head -c 32 /dev/urandom | base64 | tr -d '\n')"
done
# The HMAC keys for stored idempotency keys, bodies and unknown names (docs/how-to/rotate-keys.md).
for app in accounts auth; do
  printf '%s_HASH_KEYS=%s-%s:%s\n' "$(echo $app | tr a-z A-Z)" "$app" "$(date -u +%Y-%m-%d)" "$(head -c 32 /dev/urandom | base64 | tr -d '\n')"
done
