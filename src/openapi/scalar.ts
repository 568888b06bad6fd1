import Fastify from 'fastify'

/** Page of the API reference. It loads two scripts from this origin. Scalar adds its styles inline. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Plaza API reference</title>
</head>
<body>
<div id="reference"></div>
<noscript>The reference needs JavaScript. It shows <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/scalar.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`

/** Configuration of Scalar. Disables every feature that loads from Scalar's servers or links to them. */
const CONFIGURATION = {
  url: 'openapi.json',
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenFirstTag: false,
}

export const START = `Scalar.createApiReference('#reference', ${JSON.stringify(CONFIGURATION)})
`

/** Returns Scalar's script. Loads its package on the first call, which takes a second and 60 MB. */
export async function readScalar(): Promise<string> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  // The package does not export the file of the script, so the script is requested from the package's own
  // route.
  await server.register(reference, { configuration: { url: CONFIGURATION.url } })
  const { body } = await server.inject('/reference/js/scalar.js')
  await server.close()
  return body
}
