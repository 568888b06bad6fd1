/** The API reference at /docs: Scalar, served from this origin and configured to contact no other. */
import Fastify from 'fastify'

/** Loads only the two scripts. Scalar adds its styles inline. */
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

/** Everything that Scalar would fetch from, or link to, its own servers is off. */
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

/** Returns Scalar's bundle. Loads the package on use, which takes a second and 60 MB. */
export async function readScalar(): Promise<string> {
  const { default: reference } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  // The package offers its bundle only as a route.
  await server.register(reference, { configuration: { url: CONFIGURATION.url } })
  const { body } = await server.inject('/reference/js/scalar.js')
  await server.close()
  return body
}
