import { describe, expect, it } from '@jest/globals';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { captions, galleryFolder, picturesIn } from './gallery.js';

describe('docs/screens', () => {
  const pictures = picturesIn(galleryFolder);

  it('every picture is of a page that the gallery names, and stands in it', () => {
    const gallery = readFileSync(join(galleryFolder, 'README.md'), 'utf8');
    const names = pictures.map((file) => file.replace(/-(?:bg|en)-(?:360|1280)\.png$/, ''));
    expect(names.filter((name) => !(name in captions))).toEqual([]);
    expect(pictures.filter((file) => !gallery.includes(file))).toEqual([]);
  });

  it('every page is there in both languages', () => {
    const missing = Object.keys(captions).flatMap((name) =>
      ['bg', 'en']
        .filter((language) => !pictures.includes(`${name}-${language}-360.png`))
        .map((one) => `${name} ${one}`),
    );
    expect(missing).toEqual([]);
  });

  it('all pictures together weigh less than 4 MB', () => {
    const bytes = pictures.reduce((sum, file) => sum + statSync(join(galleryFolder, file)).size, 0);
    expect(bytes).toBeLessThan(4_000_000);
  });
});
