const sha256 = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c'

export const exampleUpload = {
  id: 'upl_01kazqkz4rf0trp3v9c2xw7e8n',
  url: `/uploads/${sha256}.mp4`,
  mime_type: 'video/mp4',
  size_bytes: 18_734_112,
  sha256,
  width: 1080,
  height: 1920,
  duration_ms: 24_360,
  created_at: '2026-11-21T08:40:52.016Z',
  bundle: null,
}
