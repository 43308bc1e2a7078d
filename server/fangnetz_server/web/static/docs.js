// Starts Swagger UI on the API page. A file of its own, because the content policy allows no inline script.
/* global SwaggerUIBundle */
// @ts-ignore: defined by the script before this one
SwaggerUIBundle({ url: "openapi.json", dom_id: "#swagger-ui", deepLinking: true });
