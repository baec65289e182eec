from rentbilling.adapters.http.answers import HttpAnswer as HttpAnswer
from rentbilling.adapters.http.metrics import ServiceMetrics as ServiceMetrics
from rentbilling.adapters.http.request_limits import Limits as Limits
from rentbilling.adapters.http.server.app import create_app as create_app
from rentbilling.adapters.http.server.serving import serve as serve, server_of as server_of
from rentbilling.adapters.http.service import RentalService as RentalService
from rentbilling.adapters.http.wsgi import create_wsgi_app as create_wsgi_app

__all__: tuple[str, ...]  # noqa: PYI035 - it is made from this file
