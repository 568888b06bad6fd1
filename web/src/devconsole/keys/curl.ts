/** Returns a curl command that publishes an article. */
export function curlOf(key: string, work: { title: string; body: string }): string {
  const body = { category: 'hype', type: 'article', ...work }
  return [
    `curl ${location.origin}/api/v1/contents`,
    `  -H 'X-API-Key: ${key}'`,
    `  -H 'Content-Type: application/json'`,
    `  --data '${JSON.stringify(body)}'`,
  ].join(' \\\n')
}
