import { createHash } from 'node:crypto';

/** Adds a button to each block of code that copies it. Everything else works without scripts. */
export const script = `'use strict';
for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('pre').textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  block.append(button);
}
`;
export const scriptHash = createHash('sha256').update(script).digest('hex').slice(0, 12);
