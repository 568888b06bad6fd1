/** Returns a curl command that publishes an article. */
export function curlOf(key: string, content: { title: string; body: string }): string {
  const body = { category: 'hype', type: 'article', ...content }
  return [
    `curl ${location.origin}/api/v1/contents`,
    `  -H 'X-API-Key: ${key}'`,
    `  -H 'Content-Type: application/json'`,
    `  --data '${JSON.stringify(body)}'`,
  ].join(' \\\n')
}
