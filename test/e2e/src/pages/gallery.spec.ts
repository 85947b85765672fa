import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { galleryFolder, galleryText, keptPictures } from './gallery.js';

describe('docs/screens', () => {
  const pictures = readdirSync(galleryFolder).filter((file) => file.endsWith('.png'));

  it('contains exactly the pictures listed in the gallery', () => {
    expect(pictures.sort()).toEqual([...keptPictures.keys()].sort());
  });

  it('shows all pictures on its page', () => {
    const page = readFileSync(join(galleryFolder, 'README.md'), 'utf8');
    expect(page).toBe(galleryText());
    expect([...keptPictures.keys()].filter((file) => !page.includes(file))).toEqual([]);
  });

  it('has at most 60 pictures, with a total size of at most 1.4 MB', () => {
    expect(pictures.length).toBeLessThanOrEqual(60);
    const bytes = pictures.reduce((sum, file) => sum + statSync(join(galleryFolder, file)).size, 0);
    expect(bytes).toBeLessThan(1_400_000);
  });
});
