// Returns a function that polls an address. The server answers 304, without a body, while the
// answer has not changed.
export const conditionalGet = () => {
  let tag = "";
  return async (address, options = {}) => {
    const headers = { "HX-Request": "true", ...(tag && { "If-None-Match": tag }) };
    const response = await fetch(address, { headers, ...options });
    if (response.ok) tag = response.headers.get("ETag");
    return response;
  };
};
