#!/usr/bin/env node
// `npx xs2a …`: the same as `npm run xs2a -- …`.
process.argv.splice(2, 0, 'xs2a');
await import('./bootstrap.mjs');
