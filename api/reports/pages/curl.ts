/** Returns a shell command that previews a definition. */
export function curlOf(url: string, text: string): string {
  const body = `{"definition": ${text}}`.replaceAll("'", `'\\''`);
  return `curl -X POST ${url} \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '${body}'`;
}
