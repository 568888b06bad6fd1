/**
 * Service worker of the web client. Stores the files that every page needs and an empty page, so that the client starts
 * offline. While the network is reachable, pages come from the network. Stores no API responses, media or user data.
 */

/** The build replaces SHELL with the paths of the client's files and the client's version. */
const { files, version } = SHELL
const CACHE = `shell-${version}`
const OFFLINE = '/offline'
/** Matches paths that the server handles and that are not pages of the client. */
const OTHER = /^\/(?:api|docs|embed|oembed|source|uploads)(?:\/|$)|\.(?:atom|ico|json|png|txt|xml)$/

addEventListener('install', (event) => {
  // Requests to these paths bypass the worker, so that they do not wait for the worker's start.
  const routes = ['/api/*', '/uploads/*'].map((pathname) => ({
    condition: { urlPattern: new URLPattern({ pathname, baseURL: location.origin }) },
    source: 'network',
  }))
  void event.addRoutes?.(routes)
  event.waitUntil(store())
})

/** Stores the files and the page. Throws if their versions differ, which can happen during a release. */
async function store() {
  const page = await fetch(OFFLINE, { cache: 'no-store' })
  const html = await page.clone().text()
  if (!page.ok || !files.every((file) => html.includes(file))) throw new Error('another version')
  const cache = await caches.open(CACHE)
  await cache.addAll(files)
  await cache.put(OFFLINE, page)
  await skipWaiting()
}

addEventListener('activate', (event) => event.waitUntil(begin()))

async function begin() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))
  // With navigation preload, the browser requests the page while the worker starts.
  await registration.navigationPreload?.enable()
}

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin || request.method !== 'GET') return
  if (request.mode === 'navigate') {
    const isPage = request.destination === 'document' && !OTHER.test(pathname)
    if (isPage) event.respondWith(openPage(event))
  } else if (files.includes(pathname)) event.respondWith(openFile(request))
})

async function openPage({ preloadResponse, request }) {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch (error) {
    const page = await find(OFFLINE)
    if (page) return page
    throw error
  }
}

async function openFile(request) {
  return (await find(request)) ?? fetch(request)
}

function find(request) {
  return caches.match(request, { cacheName: CACHE, ignoreVary: true })
}
